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
export { runTask, type RunTaskOptions } from '../web/testing/run-task.ts'
export {
  TestAuthenticator,
  type TestAuthenticatorOptions,
  type TestCredential,
} from '../web/testing/test-authenticator.ts'
export type { TestEvents } from '../web/testing/test-events.ts'
export { linkIn, type MailFilter, type TestMails } from '../web/testing/test-mails.ts'
export type { TestQueues } from '../web/testing/test-queues.ts'
export { totpCode } from '../web/testing/totp-code.ts'
export {
  Visitor,
  type Outcome,
  type VisitedSite,
  type VisitorOptions,
} from '../web/testing/visitor.ts'
