// SPDX-License-Identifier: MIT
// What some programs call and seriatim's runtime has; for the plain build.
void __VERIFIER_atomic_begin(void)
{
}

void __VERIFIER_atomic_end(void)
{
}
