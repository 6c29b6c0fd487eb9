import type { MailFailure } from './judge-mail-failure.ts'

/** RFC 2034 puts the code right behind the reply; qmail writes it at the end, as `(#5.1.1)`. */
const STATUS = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b|\(#([245]\.\d{1,3}\.\d{1,3})\)/

/** Keeps only the codes of nodemailer's error: its words, and the server's, quote the address. */
export function readMailFailure(error: unknown): MailFailure {
  const fields: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(error instanceof Error ? error : {}),
  )
  const { code, command, responseCode: reply, response } = fields
  const [, behind, atEnd] = (typeof response === 'string' ? STATUS.exec(response) : undefined) ?? []
  return {
    code: typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown',
    command: typeof command === 'string' ? command : undefined,
    reply: typeof reply === 'number' ? reply : undefined,
    status: behind ?? atEnd,
  }
}

/** For example `EENVELOPE 550 5.1.1`. */
export function describeMailFailure({ code, reply, status }: MailFailure): string {
  return [code, reply, status].filter((part) => part !== undefined).join(' ')
}
