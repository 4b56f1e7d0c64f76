// SPDX-License-Identifier: MIT
package seriatim;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is meant to be atomic: whatever other threads do, it is as if they did it before or after.
 * If a program has such methods, seriatim looks at these alone, unless --atomic says otherwise.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Atomic {}
