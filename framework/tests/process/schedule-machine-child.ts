import { appendFileSync } from 'node:fs'
import { SqlSchedule } from '../../src/schedule/sql-schedule.ts'
import { connect } from '../../src/database/connect.ts'
import { Channel } from '../../src/logs/channel.ts'
import { bindTasks } from '../../src/schedule/bound-task.ts'
import { task } from '../../src/schedule/task.ts'
import { ScheduleRunner } from '../../src/schedule/schedule-runner.ts'

// A machine of a fleet whose clock is fast: runs a task of every minute until SIGTERM, and writes each
// due time and its own process id to a file.
const [url = '', file = '', start = '', speed = ''] = process.argv.slice(2)
const [startMs, rate] = [Number(start), Number(speed)]

const database = await connect(url)
const each = task('each', { cron: '* * * * *', overlap: 'allow', grace: 31 * 86_400 })
const tasks = [
  each.run<null>(({ due }) => appendFileSync(file, `${due.getTime()} ${process.pid}\n`)),
]
const runner = new ScheduleRunner({
  tasks: bindTasks(tasks, null, 'UTC'),
  store: new SqlSchedule(database),
  log: new Channel('schedule', { sinks: [] }),
  nowMs: () => startMs + (Date.now() - startMs) * rate,
  wait: (wakeup, ms) => wakeup.wait(ms / rate),
})
await runner.start()
process.stdout.write('started\n')
process.once('SIGTERM', () => void stop())

async function stop(): Promise<void> {
  await runner.stop(10)
  await database.close()
}
