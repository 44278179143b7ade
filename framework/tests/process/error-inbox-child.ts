import { join } from 'node:path'
import { SqlErrors } from '../../src/inbox/sql-errors.ts'
import { Throwables } from '../../src/errors/throwables/throwables.ts'
import { connect } from '../../src/database/connect.ts'
import { ErrorInbox } from '../../src/inbox/error-inbox.ts'

// Ends with an uncaught error while nothing is stored yet.
const [root = ''] = process.argv.slice(2)
const database = await connect(`sqlite:${join(root, 'errors.sqlite')}`)
Throwables.install()
const inbox = new ErrorInbox(new SqlErrors(database), { root, release: '2.0' })

setImmediate(function lastTask() {
  throw new RangeError(`uncaught with ${inbox.lost} lost`)
})
