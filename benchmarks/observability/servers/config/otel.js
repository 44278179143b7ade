// What `@adonisjs/otel` loads before the application: everything else comes from the environment.
export default { serviceName: 'benchmark' }
