import { existsSync } from 'node:fs'
import { runNpm } from './run-npm.ts'

const benchmarksFolder = `${import.meta.dirname}/..`

/** Installs the peers into `benchmarks/node_modules` when that folder is missing. */
export async function installPeers(): Promise<void> {
  if (existsSync(`${benchmarksFolder}/node_modules`)) return
  await runNpm(['install', '--no-audit', '--no-fund'], benchmarksFolder)
}
