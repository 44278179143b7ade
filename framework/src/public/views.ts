export { TemplateError, type TemplateLocation } from '../base/templates/template-error.ts'
export { Views, type ViewsOptions } from '../base/templates/views.ts'
