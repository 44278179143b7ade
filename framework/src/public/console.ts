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
} from '../project/scripts/command.ts'
export {
  parameter,
  type MakeParameter,
  type Parameter,
  type ParameterOptions,
} from '../project/scripts/parameter.ts'
export {
  bootProject,
  type BootedProject,
  type BootOptions,
} from '../project/scripts/boot-project.ts'
