import { keyScope } from 'framework'

// APP_KEY. Queued mails are encrypted with it.
export default keyScope
