import { keyScope } from 'framework'

// APP_KEY. Queued mails are encrypted with it, and accounts are counted under digests keyed with it.
export default keyScope
