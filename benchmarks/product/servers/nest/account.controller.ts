import {
  Body,
  Controller,
  Get,
  Inject,
  Post,
  Redirect,
  Render,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common'
import { IsString, MaxLength } from 'class-validator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Member, PeerDatabase } from '../peer-database.ts'
import { verifyPassword } from '../peer-password.ts'
import { DATABASE } from './database.ts'
import { CurrentMember } from './member.ts'
import { SessionGuard, ToLogin } from './session.guard.ts'

class Login {
  @IsString()
  @MaxLength(254)
  readonly email: string

  @IsString()
  @MaxLength(200)
  readonly password: string
}

/** The pages of members, and the way in. */
@Controller()
export class AccountController {
  readonly #database: PeerDatabase

  constructor(@Inject(DATABASE) database: PeerDatabase) {
    this.#database = database
  }

  @Get('account')
  @UseGuards(SessionGuard)
  @UseFilters(ToLogin)
  @Render('account')
  account(
    @CurrentMember() member: Member,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): object {
    return { member, nonce: reply.cspNonce.script }
  }

  @Post('login')
  @Redirect('/account', 303)
  async login(
    @Body() { email, password }: Login,
    @Req() request: FastifyRequest,
  ): Promise<{ readonly url: string } | undefined> {
    const found = await this.#database.memberByEmail(email)
    if (found === null || !(await verifyPassword(found.password, password))) {
      return { url: '/login' }
    }
    await request.session.regenerate()
    request.session.set('identity', found.id)
    return undefined
  }
}
