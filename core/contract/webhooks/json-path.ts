import { z } from 'zod'
import { trimCode } from '../trim-invisible.ts'

/** Members by name, array items by number: `data.lead_id`, `leads[0].id`, `[0].id`; `$` or `@` is the whole, or a member of that name. */
const JSON_PATH = /^(?:[^.[\]]+|\[\d{1,5}\])(?:\.[^.[\]]+|\[\d{1,5}\])*$/
const MANY = 'A path leads to one value and is written like data.lead_id or leads[0].id'

const text = z.string().max(200, 'A path is too long (at most 200 characters)')

/** The path of a value in a JSON answer, as it is stored. */
export const jsonPathSchema = text.regex(JSON_PATH, MANY)

/** The same path at save: other syntaxes of paths are refused, with the right form in the message. */
export const newJsonPathSchema = text.overwrite(withoutInvisible).superRefine((path, context) => {
  const right = translatePath(path)
  const fault = !isPath(right) ? MANY : right === path ? undefined : `Write ${right} instead of ${path}`
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
})

/** Pages break long names by characters without width, which are copied with them. */
function withoutInvisible(path: string): string {
  return trimCode(path.replaceAll(/[\u00AD\u200B\u2060\uFEFF]/g, ''))
}

/**
 * `*` is every member in those languages, `=` compares, `()` calls and quotation marks hold a name together, and hardly a name has
 * any of them; a lone `/` leads nowhere in any of them.
 */
function isPath(path: string): boolean {
  return (
    JSON_PATH.test(path) && !/(?:^|\.)(?:\*+(?:[.[]|$)|['‘])|^\/$|[={}"“”`]|\(\)|['’](?:[.[]|$)/.test(path)
  )
}

/** From JSON Pointer (RFC 6901), JSONPath's quoted names (RFC 9535), PostgreSQL's arrows, JavaScript's `?.`, and what people put around a name. */
function translatePath(path: string): string {
  // As it was copied from a line of a program.
  const given = path.replace(/(?<=[^\s,;])[\s,;]+$/, '')
  const bare =
    /^(?:\{{2,3}([^{}]*)\}{2,3}|\$?\{([^{}]*)\}|["“„”]([^"“”]*)["“”]|['‘‚]([^'‘’]*)['‘’]|`(.*)`)$/
      .exec(given)
      ?.slice(1)
      .find((inner) => inner !== undefined) ?? given
  const pointer = /^[#.]?\/(.+)$/.exec(bare.trim())
  return (pointer?.[1] === undefined ? readNames(bare) : readPointer(pointer[1]))
    .replaceAll(/\s*\.\s*/g, '.')
    .trim()
}

function readPointer(pointer: string): string {
  const names = pointer.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  // No path leads to a name with a dot in it.
  if (names.some((name) => /[.[\]]/.test(name))) return ''
  return names
    .map((name, at) => (/^\d{1,5}$/.test(name) ? `[${name}]` : at === 0 ? name : `.${name}`))
    .join('')
}

function readNames(path: string): string {
  return path
    .replaceAll(/(^|[.\]])\s*(?:"([^".[\]]+)"|'([^'.[\]]+)')\s*(?=[.[]|$)/g, '$1$2$3')
    .replaceAll(/\[\s*(?:"([^".\]]+)"|'([^'.\]]+)'|([A-Za-z_]\w*))\s*\]/g, '.$1$2$3')
    .replaceAll(/->>?\s*(?:'([^'.]+)'|)/g, '.$1')
    .replaceAll(/\[\s*(\d{1,5})\s*\]/g, '[$1]')
    .replaceAll(/\?\.(?!\.)/g, '.')
    .replaceAll(/\.\[/g, '[')
    .replaceAll(/\](?=[^.[\s])/g, '].')
    .replace(/^\s*\.(?!\.)/, '')
    .replace(/([^.])\.\s*$/, '$1')
}
