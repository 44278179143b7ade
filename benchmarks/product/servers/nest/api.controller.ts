import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Post,
  Query,
  UnprocessableEntityException,
  UploadedFile,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common'
import { FileInterceptor, type UploadedMultipartFile } from '@nestjs/platform-fastify/multipart'
import { IsInt, IsString, Length, Max, MaxLength, Min } from 'class-validator'
import { contestant } from '../contestant.ts'
import type { Member, PeerDatabase } from '../peer-database.ts'
import { type ItemsPage, readItemsPage } from '../shared/items-page.ts'
import { BearerGuard } from './bearer.guard.ts'
import { DATABASE } from './database.ts'
import { CurrentMember } from './member.ts'

class Note {
  @IsString()
  @Length(1, 100)
  readonly title: string

  @IsString()
  @MaxLength(2000)
  readonly text: string

  @IsInt()
  @Min(1)
  @Max(3)
  readonly priority: number
}

const dest = join(contestant().folder, 'uploads')
const limits = { fileSize: 10 * 2 ** 20, files: 1 }

/** What programs ask for. */
@Controller('api')
@UseGuards(BearerGuard)
export class ApiController {
  readonly #database: PeerDatabase

  constructor(@Inject(DATABASE) database: PeerDatabase) {
    this.#database = database
  }

  @Get('items')
  items(@Query('page') page: string | undefined): Promise<ItemsPage> {
    return readItemsPage(this.#database, page)
  }

  @Post('notes')
  async addNote(@Body() note: Note, @CurrentMember() member: Member): Promise<object> {
    const { title, text, priority } = note
    const id = await this.#database.addNote({ userId: member.id, title, text, priority })
    return { id, title, text, priority }
  }

  @Post('uploads')
  @HttpCode(200)
  @UseInterceptors(FileInterceptor('file', { dest, limits }))
  async upload(@UploadedFile() file: UploadedMultipartFile | undefined): Promise<object> {
    if (file?.path === undefined) throw new UnprocessableEntityException('a file is missing')
    await rm(file.path)
    return { name: file.originalname, size: file.size }
  }
}
