export { factory, type Factory } from '../web/testing/factory.ts'
export type { FilledFields } from '../web/testing/fill-form.ts'
export { keepRows, type KeptRows } from '../web/testing/kept-rows.ts'
export { errorsOn, messageOn, tokenOn, valueOn } from '../web/testing/pages/read-page.ts'
export { policyTable, type PolicyRow } from '../web/testing/policy-table.ts'
export {
  projectServer,
  type ProjectServer,
  type ProjectServerOptions,
} from '../web/testing/project-server.ts'
export {
  TestAuthenticator,
  type TestAuthenticatorOptions,
  type TestCredential,
} from '../web/testing/test-authenticator.ts'
export type { TestEvents } from '../web/testing/test-events.ts'
export { linkIn, type MailFilter, type TestMails } from '../web/testing/test-mails.ts'
export type { TestQueues } from '../web/testing/test-queues.ts'
export type { TestSchedule } from '../web/testing/test-schedule.ts'
export { totpCode } from '../web/testing/totp-code.ts'
export {
  Visitor,
  type Outcome,
  type VisitedSite,
  type VisitorOptions,
} from '../web/testing/visitor.ts'
