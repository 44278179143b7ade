export { factory, type Factory } from '../testing/factory.ts'
export { keepRows } from '../testing/kept-rows.ts'
export { errorsOn, messageOn, tokenOn, valueOn } from '../testing/read-page.ts'
export { policyTable, type PolicyRow } from '../testing/policy-table.ts'
export {
  projectServer,
  type ProjectServer,
  type ProjectServerOptions,
} from '../testing/project-server.ts'
export { TestAuthenticator } from '../accounts/passkeys/passkey-testing.ts'
export type { TestCommands } from '../project/command-testing.ts'
export type { TestEvents } from '../testing/test-events.ts'
export { linkIn, type TestMails } from '../mail/mail-testing.ts'
export type { TestQueues } from '../queue/queue-testing.ts'
export type { TestSchedule } from '../schedule/schedule-testing.ts'
export type { TestStream } from '../testing/test-stream.ts'
export { totpCode } from '../accounts/factors/factor-testing.ts'
export { Visitor, type Outcome, type VisitedSite, type VisitorOptions } from '../testing/visitor.ts'
