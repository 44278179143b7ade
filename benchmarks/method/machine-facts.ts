import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** Where and when a run was made, as lines of its report. Read them before the run starts. */
export function machineFacts(): readonly string[] {
  return [
    `Date: ${new Date().toISOString().slice(0, 10)}`,
    `Node.js: ${process.version}`,
    `CPU: ${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores; ` +
      `memory: ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Load average when the run began: ${loadavg()[0]?.toFixed(2)}`,
  ]
}
