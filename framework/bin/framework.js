#!/usr/bin/env node
import guard from './node-version.cjs'

// A machine's own Node is often older: whoever has the package can still read the help and make a
// project, whose npm scripts then bring the right Node along.
const explainOrCopy = [undefined, 'new', 'help', '--help', '-h', '--version', '-V']

const command = process.argv[2]
const range = explainOrCopy.includes(command) ? guard.neededToCopy : guard.needed
const problem = guard.nodeVersionProblem(process.versions.node, range)

// Out of memory a server leaves a report, and only a Node that was started with these is sure to keep
// the environment out of it.
const reportFlags = ['--report-exclude-env', '--report-exclude-network']

if (problem === null) void start()
else stop(problem)

async function start() {
  if (command === 'serve' && !process.report.excludeEnv) startWithReportFlags()
  const loaded = await load()
  if (loaded === null) return
  process.exitCode = await loaded.main(process.argv.slice(2))
  // A command that failed may have left a pool or a timer open, which would keep the process for ever.
  if (process.exitCode !== 0) process.exit()
}

// The same process, which begins anew. A channel to a parent would be lost that way; --watch starts
// the server with the flags itself.
function startWithReportFlags() {
  const { execPath, execArgv, argv, connected, env } = process
  if (process.execve === undefined || connected || argv.includes('--watch')) return
  process.execve(execPath, [execPath, ...execArgv, ...reportFlags, ...argv.slice(1)], env)
}

async function load() {
  try {
    return await import('#console')
  } catch (error) {
    const sentence = explain(error)
    if (sentence === null) throw error
    stop(sentence)
    return null
  }
}

function explain(error) {
  // The sources were asked for (--conditions=source), and only the current Node reads those.
  if (error.code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return guard.nodeVersionProblem(process.versions.node, { from: Infinity, below: Infinity })
  }
  if (error.code === 'ERR_MODULE_NOT_FOUND' && /dist.console.main\.js' imp/.test(error.message)) {
    return 'framework is not built: run `npm run build` in its repository first.'
  }
  return null
}

function stop(sentence) {
  process.stderr.write(sentence + '\n')
  process.exitCode = 1
}
