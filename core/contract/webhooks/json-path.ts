import { z } from 'zod'
import { trimCode } from '../trim-invisible.ts'

/**
 * Members by name, array items by number: `data.lead_id`, `leads[0].id`, `[0].id`. A leading `$` or `@` or a name like
 * `$json` means the whole answer, unless the answer has a member of that name.
 */
const JSON_PATH = /^(?:[^.[\]]+|\[\d{1,5}\])(?:\.[^.[\]]+|\[\d{1,5}\])*$/
const MANY = 'A path leads to one value of a JSON answer and is written like data.lead_id or leads[0].id'

const text = z.string().max(200, { error: 'A path is too long (at most 200 characters)', abort: true })

/** The path of a value in a JSON answer, as it is stored. */
export const jsonPathSchema = text.regex(JSON_PATH, MANY)

/**
 * The path of a value in the form in which a client saves it: other syntaxes of paths are refused, with the right form
 * in the message.
 */
export const newJsonPathSchema = text.overwrite(withoutInvisible).superRefine((path, context) => {
  const right = translatePath(path)
  const fault = !isPath(right) ? MANY : right === path ? undefined : `Write ${right} instead of ${path}`
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
})

/** Pages break long names with zero-width characters, which are copied with them. */
function withoutInvisible(path: string): string {
  return trimCode(path.replaceAll(/[\u00AD\u200B\u2060\uFEFF]/g, ''))
}

/**
 * Signs of other path languages, which hardly any member's name contains. `*` is every member, `=` compares, `()`
 * calls, `|` passes a value on, quotation marks enclose a name, and a lone `/` is the root. A word after a dash may be
 * a member, a type or a remark.
 */
const NO_NAME =
  /(?:^|\.)(?:\*+(?:[.[]|$)|['‘])|^\/$|[={}"“”`]|\((?:\)|['‘])|\w\([^()]*[.,]|^\$\w*\(|\||:\s?(?:true|false|null|ok|success)$|^!|^[^(]*\)|\s[<>]\s|\s\?\?\s|['’](?:[.[]|$)|^[a-z_$][\w.$[\]]*(?:,\s\S+|(?:\s[–—-]\s\S+)+)$/

function isPath(path: string): boolean {
  return JSON_PATH.test(path) && !NO_NAME.test(path)
}

/**
 * Braces, brackets and quotation marks around a path. Names in braces from Make and Zapier begin with a step's number,
 * and are no paths.
 */
const AROUND =
  /^(?:=?\{{2,3}(?!\s*\d)([^{}]*)\}{2,3}|[$@#]?\{!?(?!\s*\d)([^{}]*)\}|\(([^()]*)\)|<{1,2}([^<>]*)>{1,2}|["“„”]([^"“”]*)["“”]|['‘‚]([^'‘’]*)['‘’]|`(.*)`)$/

/**
 * The whole answer in other tools and languages: `$input.item.json`, `$node["…"].json` and `$response.body` of n8n and
 * OpenAPI, Pipedream's `steps.….$return_value`, and calls that read JSON: `response.json()`, `json_decode(…)`,
 * `body('…')`.
 */
const WHOLE_ANSWER =
  /^(?:json(?=\[["'])|\$(?:\(|(?:input|items|node|request|response)\b).*?(?:\.|->)(?:json|body)(?:\(\))?|steps\.[^.]+\.\$return_value|.*?(?:json|parse|loads|decode|body)\((?:[^()]|\([^()]*\))*\)+)(?=[.?[#-])/i

/** A cast, or the command that reads it, before a path in a line of a program. */
const BEFORE =
  /^(?:\((?:string|str|int|integer|long|float|double|decimal|number|bool|boolean)\)|jq(?:\s+-\w+)*)\s*(?=[$.\w["'])/i

/** A type after a name of a program: `Phone (number)` is the name of a column. */
const ITS_TYPE =
  /(?<=^[a-z\d_.$[\]]+)(?:(?:\s*:|\s[-–]|(?=\s[([<]))\s[([<]?(?:string|int(?:eger)?|number|uuid|bool(?:ean)?)[)\]>]?$|\*$)|\s\((?:e\.g\.|for example|such as|z\.\s?B\.|p\.\s?ej\.)[^()]*\)$/

/**
 * Converts from JSON Pointer (RFC 6901), JSONPath's quoted names (RFC 9535), PostgreSQL's arrows and JavaScript's `?.`,
 * and removes what people put around a name.
 */
function translatePath(path: string): string {
  // The text may be copied from a line of a program, or a table of fields.
  const given = path
    .replace(/(?<=[^\s,;:])[\s,;:]+$/, '')
    .replace(ITS_TYPE, '')
    // The text may be copied with its description in the documentation.
    .replace(/(?<=^[a-z_$][\w.$[\]]*)(?:,\s|\s[–—-]\s)\S+\s(?!(?:.*\s)?[–—-]\s).*$/, '')
    .replace(BEFORE, '')
    // Power Automate separates names by slashes within its brackets.
    .replaceAll(/\?\['([^'\].]+)'\]/g, (bracket) => bracket.replaceAll('/', "']?['"))
  const inner =
    AROUND.exec(given)
      ?.slice(1)
      .find((held) => held !== undefined) ?? given
  const bare = inner
    .trim()
    .replace(/^(?:len|length|count|size)\(([^()]+)\)$/i, '$1.length')
    .replace(WHOLE_ANSWER, '')
  const pointer = /^[#.]?\/(.+)$/.exec(bare)
  return (pointer?.[1] === undefined ? readNames(bare) : readPointer(pointer[1]))
    .replaceAll(/\s*\.\s*/g, '.')
    .trim()
}

function readPointer(pointer: string): string {
  const names = pointer.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  // No path can name a member with a dot in its name.
  if (names.some((name) => /[.[\]]/.test(name))) return ''
  return names
    .map((name, at) => (/^\d{1,5}$/.test(name) ? `[${name}]` : at === 0 ? name : `.${name}`))
    .join('')
}

function readNames(path: string): string {
  return (path.includes(']/') ? path.replaceAll('/', '.') : path)
    .replaceAll(/\.\s*(?=\[)/g, '')
    .replaceAll(/(^|[.\]])\s*(?:"([^".[\]]+)"|'([^'.[\]]+)')\s*(?=[.[]|$)/g, '$1$2$3')
    .replaceAll(/\[\s*(?:"([^".\]]+)"|'([^'.\]]+)'|:?(?!(?:[ijn]|index)\b)([A-Za-z_]\w*))\s*\]/g, '.$1$2$3')
    .replaceAll(/(?:->>?|→|\s>\s(?!\d+$))\s*(?:'([^'.]+)'|)/g, '.$1')
    .replaceAll(/\[\s*(\d{1,5})\s*\]/g, '[$1]')
    .replaceAll(/[?!]+(?=\[|\.(?!\.))|(?<=^\..*)\?$/g, '')
    .replaceAll(/\](?=[^.[\s])/g, '].')
    .replace(/^\s*\.(?!\.)/, '')
    .replace(/([^.])\.\s*$/, '$1')
}
