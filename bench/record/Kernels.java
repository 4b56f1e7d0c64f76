// SPDX-License-Identifier: MIT
import java.lang.management.ManagementFactory;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Small kernels of the kind of the Java Grande benchmarks, each with two threads.
 *
 * Kernels NAME SIZE prints a checksum.
 */
class Kernels {
    static final int THREADS = 2;
    /** Processor time of the threads, in nanoseconds. */
    static final AtomicLong spent = new AtomicLong();

    /** Part i of the work in each thread. */
    static void together(IntConsumer work) throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int part = i;
            threads[i] = new Thread(() -> {
                work.accept(part);
                spent.addAndGet(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
            });
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
    }

    static int from(int part, int size) {
        return part * size / THREADS;
    }

    static double sum(double[] numbers) {
        double sum = 0;
        for (double number : numbers)
            sum += number;
        return sum;
    }

    /** Fourier coefficients, by the trapezoid rule. */
    static double series(int size) throws InterruptedException {
        double[] coefficients = new double[size];
        together(part -> {
            for (int n = from(part, size); n < from(part + 1, size); n++)
                for (int step = 0; step < 200; step++)
                    coefficients[n] += Math.pow(step / 100.0 + 1, step / 100.0) * Math.cos(n * step / 100.0);
        });
        return sum(coefficients);
    }

    static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Successive over-relaxation, red and black rows in turn. */
    static double sor(int size) throws InterruptedException {
        double[][] grid = new double[size][size];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                grid[i][j] = (i * 31 + j * 17) % 100 / 100.0;
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        together(part -> {
            for (int round = 0; round < 20; round++) {
                for (int i = Math.max(1, from(part, size)); i < Math.min(size - 1, from(part + 1, size)); i++) {
                    if ((i + round) % 2 != 0)
                        continue;
                    double[] above = grid[i - 1], row = grid[i], below = grid[i + 1];
                    for (int j = 1; j < size - 1; j++)
                        row[j] = 0.3125 * (above[j] + below[j] + row[j - 1] + row[j + 1]) - 0.25 * row[j];
                }
                await(barrier);
            }
        });
        double total = 0;
        for (double[] row : grid)
            total += sum(row);
        return total;
    }

    /** A sparse matrix times a vector. */
    static double sparse(int size) throws InterruptedException {
        int perRow = 5;
        int[] columns = new int[size * perRow];
        double[] values = new double[size * perRow], x = new double[size], y = new double[size];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = (int) ((i * 2654435761L >>> 7) % size);
            values[i] = i % 13 / 13.0;
        }
        for (int i = 0; i < size; i++)
            x[i] = i % 7;
        together(part -> {
            for (int round = 0; round < 20; round++)
                for (int row = from(part, size); row < from(part + 1, size); row++)
                    for (int i = row * perRow; i < (row + 1) * perRow; i++)
                        y[row] += x[columns[i]] * values[i];
        });
        return sum(y);
    }

    /** A block cipher of 16-bit words. */
    static double crypt(int size) throws InterruptedException {
        byte[] plain = new byte[size * 8], coded = new byte[size * 8];
        int[] key = new int[52];
        for (int i = 0; i < key.length; i++)
            key[i] = i * 1103 + 12345 & 0xffff;
        for (int i = 0; i < plain.length; i++)
            plain[i] = (byte) (i * 7);
        together(part -> {
            for (int block = from(part, size); block < from(part + 1, size); block++) {
                int a = plain[block * 8] & 255, b = plain[block * 8 + 3] & 255;
                for (int round = 0; round < 8; round++) {
                    a = a * key[round * 6] + key[round * 6 + 1] & 0xffff;
                    b = (b ^ a) + key[round * 6 + 2] & 0xffff;
                }
                for (int i = 0; i < 8; i++)
                    coded[block * 8 + i] = (byte) (plain[block * 8 + i] ^ (i % 2 == 0 ? a : b));
            }
        });
        double sum = 0;
        for (byte one : coded)
            sum += one;
        return sum;
    }

    /** Gaussian elimination by rows, with a barrier for each column. */
    static double lufact(int size) throws InterruptedException {
        double[][] matrix = new double[size][size];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                matrix[i][j] = i == j ? size : (i * 13 + j * 7) % 10;
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        together(part -> {
            for (int k = 0; k < size; k++) {
                for (int i = k + 1; i < size; i++) {
                    if (i % THREADS != part)
                        continue;
                    double factor = matrix[i][k] / matrix[k][k];
                    for (int j = k; j < size; j++)
                        matrix[i][j] -= factor * matrix[k][j];
                }
                await(barrier);
            }
        });
        double product = 0;
        for (int i = 0; i < size; i++)
            product += Math.log(Math.abs(matrix[i][i]));
        return product;
    }

    static final class Particle {
        double x, speed, force;
    }

    /** Particles that repel each other; forces are added under a lock. */
    static double moldyn(int size) throws InterruptedException {
        Particle[] all = new Particle[size];
        for (int i = 0; i < size; i++) {
            all[i] = new Particle();
            all[i].x = i + i % 3 * 0.1;
        }
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        together(part -> {
            for (int round = 0; round < 5; round++) {
                for (int i = from(part, size); i < from(part + 1, size); i++) {
                    double force = 0;
                    for (int j = 0; j < size; j++)
                        if (i != j)
                            force += 1 / (all[i].x - all[j].x);
                    synchronized (all[i]) {
                        all[i].force += force;
                    }
                }
                await(barrier);
                for (int i = from(part, size); i < from(part + 1, size); i++) {
                    all[i].speed += all[i].force * 0.001;
                    all[i].x += all[i].speed * 0.001;
                    all[i].force = 0;
                }
                await(barrier);
            }
        });
        double sum = 0;
        for (Particle one : all)
            sum += one.x;
        return sum;
    }

    static double paths;

    static synchronized void add(double value) {
        paths += value;
    }

    /** Random walks from fixed seeds. */
    static double montecarlo(int size) throws InterruptedException {
        paths = 0;
        together(part -> {
            for (int path = from(part, size); path < from(part + 1, size); path++) {
                double[] prices = new double[100];
                long seed = path * 0x5DEECE66DL + 11;
                prices[0] = 100;
                for (int day = 1; day < prices.length; day++) {
                    seed = seed * 0x5DEECE66DL + 11;
                    prices[day] = prices[day - 1] * (1 + ((seed >>> 40) % 201 - 100) / 10000.0);
                }
                add(Math.rint(prices[prices.length - 1]));
            }
        });
        return paths;
    }

    static final class Vector {
        final double x, y, z;

        Vector(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        Vector minus(Vector other) {
            return new Vector(x - other.x, y - other.y, z - other.z);
        }

        double dot(Vector other) {
            return x * other.x + y * other.y + z * other.z;
        }
    }

    /** Rays from a point through a screen, onto spheres. */
    static double raytracer(int size) throws InterruptedException {
        Vector[] spheres = new Vector[8];
        for (int i = 0; i < spheres.length; i++)
            spheres[i] = new Vector(i - 4, i % 3 - 1, 6 + i % 4);
        int[] image = new int[size * size];
        together(part -> {
            Vector eye = new Vector(0, 0, 0);
            for (int row = from(part, size); row < from(part + 1, size); row++)
                for (int column = 0; column < size; column++) {
                    Vector ray = new Vector(column * 4.0 / size - 2, row * 4.0 / size - 2, 4);
                    for (int i = 0; i < spheres.length; i++) {
                        Vector to = spheres[i].minus(eye);
                        double b = ray.dot(to), c = to.dot(to) - 1;
                        if (b * b - ray.dot(ray) * c > 0)
                            image[row * size + column] += i + 1;
                    }
                }
        });
        double sum = 0;
        for (int pixel : image)
            sum += pixel;
        return sum;
    }

    static double run(String name, int size) throws InterruptedException {
        switch (name) {
        case "series":
            return series(size);
        case "sor":
            return sor(size);
        case "sparse":
            return sparse(size);
        case "crypt":
            return crypt(size);
        case "lufact":
            return lufact(size);
        case "moldyn":
            return moldyn(size);
        case "montecarlo":
            return montecarlo(size);
        case "raytracer":
            return raytracer(size);
        default:
            throw new IllegalArgumentException(name);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(run(arguments[0], Integer.parseInt(arguments[1])));
    }
}
