export {
  command,
  type Command,
  type CommandContext,
  type CommandOptions,
  type CommandParameters,
  type CommandPlan,
  type CommandResult,
  type CommandTools,
  type NoParameters,
  type ParsedValues,
  type ValuesOfParameters,
} from '../project/command.ts'
export {
  parameter,
  type MakeParameter,
  type Parameter,
  type ParameterOptions,
} from '../project/parameter.ts'
export { bootProject, type BootedProject, type BootOptions } from '../project/start/boot-project.ts'
