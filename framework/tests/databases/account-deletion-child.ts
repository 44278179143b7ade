import { connect } from '../../src/database/connect.ts'
import { MailboxSite } from './mailbox-site.ts'

// Deletes the account whose date is set, and stops before the end until it is killed.
const [url = ''] = process.argv.slice(2)
const site = new MailboxSite(await connect(url))
site.clock.now += 604_800
const never = site.deleting([
  () => {
    console.log('everything but the account is deleted')
    return new Promise(() => setInterval(() => {}, 1000))
  },
])
await never.sweep()
