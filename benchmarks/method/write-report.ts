import { mkdir, writeFile } from 'node:fs/promises'

/** Writes the report of a benchmark to `benchmarks/results`. */
export async function writeReport(benchmark: string, report: string): Promise<void> {
  const folder = `${import.meta.dirname}/../results`
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/${benchmark}.md`, report)
  console.error(`Written to benchmarks/results/${benchmark}.md`)
}
