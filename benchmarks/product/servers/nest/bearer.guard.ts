import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import type { PeerDatabase } from '../peer-database.ts'
import { tokenDigest } from '../shared/token-digest.ts'
import { DATABASE } from './database.ts'

/** Lets programs in whose token is valid. */
@Injectable()
export class BearerGuard implements CanActivate {
  readonly #database: PeerDatabase

  constructor(@Inject(DATABASE) database: PeerDatabase) {
    this.#database = database
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    const [scheme, token] = request.headers.authorization?.split(' ') ?? []
    if (scheme !== 'Bearer' || token === undefined) throw new UnauthorizedException()
    request.member = await this.#database.memberByToken(tokenDigest(token), Date.now())
    if (request.member === null) throw new UnauthorizedException()
    return true
  }
}
