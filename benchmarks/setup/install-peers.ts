import { statSync } from 'node:fs'
import { runNpm } from './run-npm.ts'

const benchmarksFolder = `${import.meta.dirname}/..`

/** Installs the peers into `benchmarks/node_modules` when that is missing or older than their list. */
export async function installPeers(): Promise<void> {
  const listed = changedMs('package.json')
  if (changedMs('node_modules/.package-lock.json') >= listed) return
  // Without the scripts of packages: none of them is needed, and one would download an engine.
  await runNpm(['install', '--ignore-scripts', '--no-audit', '--no-fund'], benchmarksFolder)
}

function changedMs(path: string): number {
  return statSync(`${benchmarksFolder}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
