import { Channel } from '../../src/logs/channel.ts'
import { fileSink } from '../../src/logs/file-sink.ts'

// Writes numbered lines in bursts of different lengths, so that the processes meet in every state.
const [path = '', name = '', count = '0', ending = 'close'] = process.argv.slice(2)
const sink = fileSink(path, { maxBytes: 4_096, keep: 100_000 })
const log = new Channel(name, { sinks: [sink] })

for (let number = 0; number < Number(count); number++) {
  log.info('line', { number, padding: 'x'.repeat(number % 50) })
  if (number % (7 + (process.pid % 11)) === 0) await new Promise(setImmediate)
  if (number % 251 === 0) await log.flush()
}
if (ending === 'exit') process.exit(3)
if (ending === 'throw') throw new Error('the child dies with lines waiting')
if (ending === 'fatal') {
  log.fatal('the end')
  process.kill(process.pid, 'SIGKILL')
}
await log.close()
