import { median } from '../method/statistics.ts'
import type { Blog } from './blog/blog.ts'
import { type ShownBlog, showBlog } from './blog/shown-blog.ts'
import { blogRows, blogWorksOf } from './blog/work.ts'
import { type Contests, isPageContest } from './contests.ts'
import { loadBlog, loadLibrary } from './libraries.ts'
import type { Library } from './library.ts'
import { pageSize } from './posts.ts'
import { type ShownPage, showPages } from './shown-pages.ts'
import { worksOf } from './work.ts'

/** What the harness asks of a contestant: that much work of a contest, or what is to be checked. */
export type Order = 'show' | { readonly contest: Contests; readonly pages: number }

/** What one piece of work took, over a burst. */
export interface Sample {
  /** The median of all, from the call until its objects are there. */
  readonly latencyMicros: number
  /** User and system time of all threads of the process, for each. */
  readonly cpuMicros: number
}

/** What a contestant answers: that it is connected, a sample, or what is to be checked. */
export type Answer = 'ready' | 'absent' | Sample | readonly ShownPage[] | ShownBlog

/** Work that is done again and again, and how many rows come of it. */
interface Task {
  readonly work: () => number | Promise<number>
  readonly rows: number
}

const [suite = '', database = '', client = '', rows = ''] = process.argv.slice(2)
const url = process.env['ORM_BENCHMARK_URL'] ?? ''
const { show, tasks } =
  suite === 'blog'
    ? blogTasks(await (await loadBlog(database, client))(url))
    : pageTasks(await (await loadLibrary(database, client))(url))

process.on('message', (order: Order) => void obey(order))
// A contestant never outlives the harness that started it.
process.on('disconnect', () => process.exit())
answer('ready')

interface Tasks {
  readonly show: () => Promise<readonly ShownPage[] | ShownBlog>
  readonly tasks: (contest: Contests) => Task | null
}

function pageTasks(library: Library): Tasks {
  const works = worksOf(library, Number(rows))
  return {
    show: () => showPages(library, Number(rows)),
    tasks: (contest) => {
      if (!isPageContest(contest)) return null
      const work = works[contest]
      return {
        rows: pageSize,
        work: () => {
          const pending = work()
          // Synchronous libraries are not made to wait.
          return pending instanceof Promise
            ? pending.then(({ items }) => items.length)
            : pending.items.length
        },
      }
    },
  }
}

function blogTasks(blog: Blog): Tasks {
  const works = blogWorksOf(blog)
  return {
    show: () => showBlog(blog),
    tasks: (contest) => {
      const work = isPageContest(contest) ? null : works[contest]
      return work === null || isPageContest(contest) ? null : { work, rows: blogRows[contest] }
    },
  }
}

async function obey(order: Order): Promise<void> {
  if (order === 'show') return answer(await show())
  const task = tasks(order.contest)
  answer(task === null ? 'absent' : await measure(task, order.pages))
}

function answer(message: Answer): void {
  process.send?.(message)
}

async function measure({ work, rows }: Task, times: number): Promise<Sample> {
  const latencies = new Float64Array(times)
  const before = process.cpuUsage()
  for (let time = 0; time < times; time++) {
    const began = performance.now()
    const pending = work()
    const got = pending instanceof Promise ? await pending : pending
    latencies[time] = (performance.now() - began) * 1_000
    if (got !== rows) throw new Error(`${got} rows instead of ${rows}`)
  }
  const { user, system } = process.cpuUsage(before)
  return { latencyMicros: median([...latencies]), cpuMicros: (user + system) / times }
}
