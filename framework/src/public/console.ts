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
} from '../app/commands/command.ts'
export {
  parameter,
  type MakeParameter,
  type Parameter,
  type ParameterOptions,
} from '../app/commands/parameter.ts'
export {
  bootProject,
  type BootedProject,
  type BootOptions,
} from '../web/projects/scripts/boot-project.ts'
