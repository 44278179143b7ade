import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** What test files used of the CPU, in milliseconds, by path below `root`: what `record-cpu.cjs` wrote. */
export function readCpu(root: string, shared: string): ReadonlyMap<string, number> {
  const record = join(shared, 'cpu.jsonl')
  const lines = existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : []
  return new Map(
    lines.map((line) => {
      const { file, cpuMs }: { file: string; cpuMs: number } = JSON.parse(line)
      return [relative(root, file), cpuMs]
    }),
  )
}
