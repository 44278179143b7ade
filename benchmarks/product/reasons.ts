import { isMissed } from '../method/targets.ts'
import { contestsOf, type Results } from './results.ts'
import { targetsOf } from './targets.ts'
import { type Kinds, type Task, tasks } from './tasks.ts'

/** What ours does in a task that those before it do not. */
const reasons: Readonly<Record<Kinds, string>> = {
  list:
    'By hand knows its page: it reads one number of the query, and has two statements as constants. Ours checks the query against the list, ' +
    'plans the page, makes its links and a total for the headers, and passes a chain that any route may have middlewares in. It writes a line of its log.',
  form: 'A session that is read, its token masked anew and put where the view asked for it, and the headers of a page that belongs to one visitor. The line of the log.',
  newcomer:
    'A session with its token is made, encrypted and put into a cookie, as by hand; the token is found in the finished page, since views may print it anywhere. The line of the log.',
  guarded:
    'The same two statements as by hand. Around them the data of the session is decoded and frozen, the account gets the state by which a later step sees that it has changed, ' +
    'and a token stands ready for forms. The line of the log.',
  api: 'Four statements: the token and its account are asked for one after the other, because either may be kept elsewhere, where the others join them. `Link` and `X-Total-Count`. The line of the log.',
  insert:
    'The token and its account are two statements instead of one. Each value is checked against its column, and the row is read back as it was stored. The line of the log.',
  static:
    'By hand has finished responses that it never looks at again. Ours looks once a second whether the file has changed, and sends the headers of the project with it. The line of the log.',
  unchanged:
    'By hand compares with a tag that never changes. Ours looks once a second whether the file has changed. The line of the log.',
  upload:
    'By hand takes the body into memory and looks for its end there. Ours writes it to a file of its own while it arrives, within the limits and the budget of uploads, and moves it then.',
  login:
    'A form that is sent twice signs in once: ours claims the submission in a row and keeps the encrypted response for the second. The cookie of the guest is claimed too, so that ' +
    'of two sign-ins with it at once one wins, and the account is looked at again before the session holds. Those are four writes where by hand has one.',
}

const more: Readonly<Record<string, string>> = {
  'list-postgres':
    'By hand sends the statements of all requests over one connection without waiting; ours lends connections, since a product has transactions, and so writes and reads more often.',
  'list-mariadb':
    'By hand sends the statements of all requests over one connection without waiting; ours lends connections, since a product has transactions.',
  gzip: 'What is left is the compressor, which is the same for all.',
  br: 'What is left is the compressor, which is the same for all.',
}

/** A sentence for each contest in which a target was missed. */
export function reasonsSection(results: Results): string {
  const lines = contestsOf(tasks).flatMap((contest) => {
    const missed = targetsOf(results, [contest]).filter(isMissed)
    return missed.length === 0 ? [] : [`- ${contest.title}: ${reasonOf(contest.task)}`]
  })
  const text = lines.length === 0 ? 'There is nothing to explain in this run.' : lines.join('\n')
  return `## Why\n\n${text}`
}

function reasonOf({ name, kind }: Task): string {
  return [reasons[kind], ...(more[name] === undefined ? [] : [more[name]])].join(' ')
}
