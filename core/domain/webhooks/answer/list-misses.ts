import type { Outcome, SuccessRule } from '#core/contract/webhooks/answer-rules.ts'
import type { JsonNode } from '../template/json-tree.ts'
import { explainMismatch, isMatch, ORDER, type AnswerRules, type KeptBody } from './judge-body.ts'
import { readJson, readJsonPath } from './read-json-path.ts'

/** Places that are named where a path leads nowhere: more would be a list to search. */
const MOST_PLACES = 2
/** What a name of a program looks like; any other may be a person's. */
const PLAIN_NAME = /^\w{1,64}$/

/** A part of a success rule that an answer does not fit, and why. */
export interface Miss {
  part: Outcome
  because: string
}

/**
 * Lists the parts of the rule that an answer does not fit, for the endpoint's test: a part that can never fit is seen there, also where
 * another part lets the test succeed.
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
export function explainNoId({ capturePath }: AnswerRules, { body }: KeptBody): string {
  if (capturePath === null) return ''
  const tree = readJson(body ?? '')
  const reason = tree === undefined ? ', because the answer is not JSON' : placesOf(tree, capturePath)
  return `No id stands at "${capturePath}"${reason}.`
}

/** Tells where the last name of a path stands instead; nothing where the path leads somewhere, or its last name stands nowhere. */
function placesOf(tree: JsonNode | undefined, path: string): string {
  if (tree === undefined || readJsonPath(tree, path) !== undefined) return ''
  const last = /[^.[\]]+(?=(?:\[\d+\])*$)/.exec(path)?.[0].trim() ?? ''
  const places = [...findPlaces(tree, last.toLowerCase(), '')].slice(0, MOST_PLACES)
  return places.length === 0 ? '' : `; "${last}" stands at ${places.join(' and ')}`
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
