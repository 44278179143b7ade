import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

// Runs the given programs one after the other, each in its own folder, and fails if one ends the process.
const programs = process.argv.splice(2)
let ended = 0
process.once('exit', () => {
  if (ended < programs.length) process.exitCode ||= 1
})
for (const program of programs) {
  process.chdir(dirname(program))
  process.argv[1] = program
  await import(pathToFileURL(program).href)
  ended += 1
}
