export { command, type Command, type CommandResult } from '../project/command.ts'
export { parameter } from '../project/parameter.ts'
export { bootProject, type BootedProject } from '../project/start/open-project.ts'
