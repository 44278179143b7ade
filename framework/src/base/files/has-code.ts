/** Whether this is a system error with one of the codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return codes.some((code) => code === error.code)
}
