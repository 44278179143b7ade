import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import type { Member } from '../peer-database.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom a guard has let in. */
    member: Member | null
  }
}

/** The member whom the guard has let in. */
export const CurrentMember = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<FastifyRequest>().member,
)
