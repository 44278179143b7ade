/**
 * Every error code the framework raises, with the sentence that explains it.
 * The codes are stable: programs may test for them. `docs/errors.md` lists the same codes.
 */
export const errorCodes = {
  E_BODY_USED: 'The request body was read twice in ways that exclude each other.',
  E_CONFIG_INVALID: 'A setting was given a value that it cannot have.',
  E_CONFIG_MISSING: 'A setting that has no default was not given.',
  E_COOKIE: 'A cookie name or attribute is not allowed on the wire.',
  E_CORS: 'A rule for other origins is unsafe or names something that is no origin.',
  E_ENV_FILE: 'A .env file cannot be read or understood.',
  E_FIELDS_UNREAD: 'Form fields were asked for before the form was read.',
  E_FROZEN: 'Routes or middlewares were added after the server had started.',
  E_HEADER: 'A response header name or value is not allowed on the wire.',
  E_INVALID_ARGUMENT: 'A value handed to the framework is not what the call accepts.',
  E_LIMIT: 'A server limit is unknown or not a number of zero or more.',
  E_LISTEN: 'The server could not take its address.',
  E_LISTENING: 'A server that listens already was told to listen.',
  E_LOG_LEVEL: 'A log level is not one of debug, info, warn, error, fatal, silent.',
  E_METRIC_BUCKETS: 'The bounds of a histogram are not finite and ascending.',
  E_METRIC_CLASH: 'Two instruments of one name have different types or buckets.',
  E_METRIC_LABEL: 'A label has a name or a value that no series can have.',
  E_METRIC_NAME: 'A metric has a name that no metric can have.',
  E_METRIC_VALUE: 'A value is none that the instrument can take.',
  E_MIDDLEWARE: 'A middleware is neither a function nor an object with process().',
  E_MIDDLEWARE_SILENT: 'A middleware neither called next() nor answered.',
  E_NEW: 'A new project cannot be made in that folder.',
  E_NEXT_TWICE: 'A middleware called next() more than once.',
  E_PROJECT: 'A project definition lacks a part or has one of the wrong kind.',
  E_PROJECT_MISSING: 'No project was found in the folder.',
  E_PROXY: 'A trusted proxy is not an address or a network.',
  E_REDIRECT_FOREIGN: 'A redirect would leave the site without having been asked to.',
  E_ROUTE_CONFLICT: 'Two routes answer the same requests.',
  E_ROUTE_PATTERN: 'A route pattern cannot be understood.',
  E_ROUTE_SET: 'A route set is listed twice or is not a route set.',
  E_SNAPSHOT: 'A document that should be a snapshot of metrics is something else.',
  E_STATICS: 'The folder of static files does not exist.',
  E_TEMPLATE_COMPILE: 'A template cannot be compiled; the error names its file and line.',
  E_TEMPLATE_RENDER: 'A template failed while it ran; the error names its file and line.',
  E_UPLOAD_EXISTS: 'An uploaded file was to be moved onto a file that exists.',
  E_VIEWS: 'A view was asked for and the server has no views folder.',
  E_VIEW_MISSING: 'No view of that name stands in the views folder.',
  E_VIEW_REFUSED: 'A view name leaves the views folder or is not a view name.',
  E_WORKER_START: 'A worker process did not come up.',
} as const

/** One of the catalogued codes. */
export type ErrorCode = keyof typeof errorCodes
