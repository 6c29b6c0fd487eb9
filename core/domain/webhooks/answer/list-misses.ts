import type { Outcome, SuccessRule } from '#core/contract/webhooks/answer-rules.ts'
import type { JsonNode } from '../template/json-tree.ts'
import {
  explainMismatch,
  explainNoTree,
  isMatch,
  ORDER,
  type AnswerRules,
  type KeptBody,
} from './judge-body.ts'
import { readJson, readJsonPath } from './read-json-path.ts'

/** Number of other places that are suggested: more would be a list to search. */
const MOST_PLACES = 2
/** A name in the style of programs; any other may be a person's. */
const PLAIN_NAME = /^\w{1,64}$/

/** A part of a success rule that an answer does not fit, with the reason. */
export interface Miss {
  part: Outcome
  because: string
}

/**
 * Lists the parts of the rule that an answer does not fit. So a test of the endpoint shows a part that can never fit,
 * even if the test succeeds by another part.
 */
export function listMisses(rule: SuccessRule | null, kept: KeptBody): Miss[] {
  const text = kept.body ?? ''
  const tree = readJson(text)
  return ORDER.flatMap((part): Miss[] => {
    const match = rule?.[part]
    if (match === undefined || isMatch(match, text, tree)) return []
    const places = 'path' in match ? placesOf(tree, match.path) : ''
    return [{ part, because: `${explainMismatch(match, kept, tree)}${places}` }]
  })
}

/** Says why no id was found at the capture path. */
export function explainNoId({ capturePath }: AnswerRules, kept: KeptBody): string {
  if (capturePath === null) return ''
  const tree = readJson(kept.body ?? '')
  const reason = tree === undefined ? `: ${explainNoTree(kept)}` : placesOf(tree, capturePath)
  return `No id stands at "${capturePath}"${reason}.`
}

/**
 * Suggests other places with the last name of a path, and with the same item of a list. It suggests nothing if the path
 * leads to a value, or there is no such place.
 */
function placesOf(tree: JsonNode | undefined, path: string): string {
  if (tree === undefined || readJsonPath(tree, path) !== undefined) return ''
  const [last = '', name = '', item = ''] = /([^.[\]]+)((?:\[\d+\])*)$/.exec(path.trim()) ?? []
  const places = findPlaces(tree, name.trim().toLowerCase(), '')
    .map((place) => `${place}${item}`)
    .filter((place) => isValue(readJsonPath(tree, place)))
  const told = [...places].slice(0, MOST_PLACES)
  return told.length === 0 ? '' : `; "${last.trim()}" stands at ${told.join(' and ')}`
}

function isValue(node: JsonNode | undefined): boolean {
  return node?.kind === 'string' || (node?.kind === 'literal' && node.text !== 'null')
}

function* findPlaces(node: JsonNode, name: string, at: string): Generator<string> {
  if (node.kind === 'array') {
    const [first] = node.items
    if (first !== undefined) yield* findPlaces(first, name, `${at}[0]`)
  }
  if (node.kind !== 'object') return
  for (const { key, value } of node.members) {
    if (!PLAIN_NAME.test(key)) continue
    const place = at === '' ? key : `${at}.${key}`
    if (key.toLowerCase() === name) yield place
    yield* findPlaces(value, name, place)
  }
}
