// SPDX-License-Identifier: MIT
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Asks the virtual machine's verifier about classes as they are and as rewrite_filter makes them:
 * the answers must be the same. Arguments: the filter, the least number of classes that must have
 * been rewritten, and where classes come from: modules of this JDK, jars, or folders.
 */
public class VerifySame {
    private static final Map<String, byte[]> before = new HashMap<>(), after = new HashMap<>();
    private static int rewritten;

    /** Classes of one world; everything else is the JDK's. */
    private static final class World extends ClassLoader {
        private final Map<String, byte[]> classes;

        World(Map<String, byte[]> classes) {
            super(VerifySame.class.getClassLoader());
            this.classes = classes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null)
                return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            return known != null ? known : defineClass(name, bytes, 0, bytes.length);
        }

        /** Linking verifies; asking for methods links. */
        String ask(String name) {
            try {
                loadClass(name, false).getDeclaredMethods();
                return "good";
            } catch (Throwable reason) {
                return reason instanceof VerifyError ? "VerifyError"
                    : reason.toString().replaceAll("(module|World) @(0x)?[0-9a-f]+", "$1");
            }
        }
    }

    private static void add(Path path) {
        try {
            add(Files.readAllBytes(path));
        } catch (IOException reason) {
            throw new IllegalStateException(reason);
        }
    }

    private static void add(byte[] bytes) {
        String name = nameOf(bytes);
        if (name != null && !name.startsWith("java."))
            before.putIfAbsent(name, bytes);
    }

    /** The name as the class file has it; null for what has none (module-info). */
    private static String nameOf(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new java.io.ByteArrayInputStream(bytes))) {
            in.readLong();
            int count = in.readUnsignedShort();
            Object[] pool = new Object[count];
            for (int i = 1; i < count; i++)
                switch (in.readUnsignedByte()) {
                    case 1 -> pool[i] = in.readUTF();
                    case 7 -> pool[i] = in.readUnsignedShort();
                    case 5, 6 -> { in.readLong(); i++; }
                    case 15 -> { in.readUnsignedByte(); in.readUnsignedShort(); }
                    case 8, 16, 19, 20 -> in.readUnsignedShort();
                    default -> in.readInt();
                }
            in.readUnsignedShort();
            String name = (String) pool[(Integer) pool[in.readUnsignedShort()]];
            return name.equals("module-info") ? null : name.replace('/', '.');
        } catch (IOException | RuntimeException reason) {
            return null;
        }
    }

    private static void collect(String source) throws IOException {
        Path path = Path.of(source);
        if (source.endsWith(".jar")) {
            try (ZipFile jar = new ZipFile(source)) {
                for (ZipEntry entry : (Iterable<ZipEntry>) jar.stream().map(e -> (ZipEntry) e)::iterator)
                    if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF"))
                        add(jar.getInputStream(entry).readAllBytes());
            }
            return;
        }
        if (!Files.isDirectory(path))
            path = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", source);
        try (Stream<Path> files = Files.walk(path)) {
            files.filter(file -> file.toString().endsWith(".class")).forEach(VerifySame::add);
        }
    }

    private static void writeAll(OutputStream to, List<String> names) {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to))) {
            for (String name : names) {
                out.writeInt(before.get(name).length);
                out.write(before.get(name));
            }
        } catch (IOException reason) {
            throw new IllegalStateException(reason);
        }
    }

    private static void rewriteAll(String filter, List<String> names) throws IOException {
        Process process = new ProcessBuilder(filter.split(" ")).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        new Thread(() -> writeAll(process.getOutputStream(), names)).start();
        DataInputStream in = new DataInputStream(new BufferedInputStream(process.getInputStream()));
        for (String name : names) {
            int outcome = in.readUnsignedByte();
            byte[] bytes = in.readNBytes(in.readInt());
            if (outcome == 'x')
                throw new IllegalStateException(name + " was refused");
            after.put(name, outcome == 'r' ? bytes : before.get(name));
            rewritten += outcome == 'r' ? 1 : 0;
        }
    }

    public static void main(String[] arguments) throws IOException {
        for (int i = 2; i < arguments.length; i++)
            collect(arguments[i]);
        List<String> names = new ArrayList<>(before.keySet());
        names.sort(null);
        rewriteAll(arguments[0], names);
        World old = new World(before), changed = new World(after);
        int different = 0, good = 0;
        for (String name : names) {
            String first = old.ask(name), second = changed.ask(name);
            good += first.equals("good") ? 1 : 0;
            if (first.equals(second))
                continue;
            different++;
            System.out.println(name + ": was " + first + ", is " + second);
        }
        System.out.println(names.size() + " classes, " + good + " of them good, " + rewritten
            + " rewritten, " + different + " answers differ");
        System.exit(different > 0 || rewritten < Integer.parseInt(arguments[1]) ? 1 : 0);
    }
}
