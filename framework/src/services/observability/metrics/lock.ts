/** Makes properties that are for reading only so at run time too: to assign to them throws. */
export function lock<Target extends object>(target: Target, ...keys: (keyof Target)[]): void {
  for (const key of keys) {
    Object.defineProperty(target, key, { writable: false, configurable: false })
  }
}
