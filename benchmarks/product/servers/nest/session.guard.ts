import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Inject,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PeerDatabase } from '../peer-database.ts'
import { DATABASE } from './database.ts'

declare module 'fastify' {
  interface Session {
    identity: number
  }
}

/** Lets members in who have signed in. */
@Injectable()
export class SessionGuard implements CanActivate {
  readonly #database: PeerDatabase

  constructor(@Inject(DATABASE) database: PeerDatabase) {
    this.#database = database
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    const identity = request.session.get('identity')
    request.member = identity === undefined ? null : await this.#database.member(identity)
    if (request.member === null) throw new UnauthorizedException()
    return true
  }
}

/** Sends those to the form whom the guard has not let in. */
@Catch(UnauthorizedException)
export class ToLogin implements ExceptionFilter {
  catch(_exception: UnauthorizedException, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<FastifyReply>().redirect('/login', 303)
  }
}
