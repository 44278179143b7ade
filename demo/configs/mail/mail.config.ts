import { mailScope } from 'framework/mail'

// MAIL_HOST and the rest. Without it mails are files in storage/mails.
export default mailScope
