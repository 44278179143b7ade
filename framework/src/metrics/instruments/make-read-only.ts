/** Enforces `readonly` properties at run time: assigning to them throws. */
export function makeReadOnly<Target extends object>(
  target: Target,
  ...keys: (keyof Target)[]
): void {
  for (const key of keys) {
    Object.defineProperty(target, key, { writable: false, configurable: false })
  }
}
