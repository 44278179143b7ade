const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Whether requests of this method only read: they need no CSRF token, and their body is not read. */
export function isSafe(method: string): boolean {
  return safeMethods.has(method)
}
