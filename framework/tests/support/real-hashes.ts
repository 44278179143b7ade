/**
 * From now on the processes that this one starts hash passwords at their real cost, as in production. The
 * runner makes it cheap otherwise, see `runner/cheap-hashes.cjs`.
 */
export function useRealHashes(): void {
  const { NODE_OPTIONS = '' } = process.env
  process.env['NODE_OPTIONS'] = NODE_OPTIONS.replaceAll(/--require="[^"]*cheap-hashes\.cjs"/g, '')
}
