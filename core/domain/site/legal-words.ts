/** Facts of this installation for the legal pages. Days: undefined means that no period is set. */
export interface Installation {
  operator: {
    name?: string | undefined
    address?: string | undefined
    jurisdiction?: string | undefined
    privacyEmail?: string | undefined
  }
  kept: Readonly<Partial<Record<KeptWord, number | undefined>>>
  /** host names, undefined where none is used */
  processors: { mail?: string | undefined; files?: string | undefined }
  payments?: string | undefined
  captcha?: string | undefined
  sms?: string | undefined
}

const KEPT_WORDS = [
  'attempts',
  'bodies',
  'import_rows',
  'messages',
  'sold_leads',
  'unsold_leads',
  'decisions',
  'audit',
] as const
export type KeptWord = (typeof KEPT_WORDS)[number]

/** Marks in docs/site/legal, like `%operator:name%`. */
export const LEGAL_MARK = /%(operator|kept):([a-z_]+)%/g

const YEAR_DAYS = 365.25
const UNNAMED = 'the operator of this installation'

/**
 * The HTML that replaces each mark, by its text between the percent signs. Where the operator has configured nothing, it
 * says so.
 */
export function sayLegalWords({ operator, kept, ...services }: Installation): Record<string, string> {
  const { name, address, jurisdiction, privacyEmail } = operator
  const email = privacyEmail === undefined ? undefined : escape(privacyEmail)
  return {
    'operator:name': escape(name ?? UNNAMED),
    'operator:who':
      name === undefined
        ? 'A company that has not published its name and address here'
        : escape([name, ...(address === undefined ? [] : [address])].join(', ')),
    'operator:contact':
      email === undefined ? 'use' : `write to <a href="mailto:${email}">${email}</a>, or use`,
    'operator:law':
      jurisdiction === undefined
        ? 'The operator has not published here which law applies, and which courts decide.'
        : `The law of ${escape(jurisdiction)} applies, and its courts decide.`,
    'operator:processors': escape(listProcessors(services)),
    ...Object.fromEntries(KEPT_WORDS.map((word) => [`kept:${word}`, sayDays(kept[word])])),
  }
}

/** Replaces the marks of a page. @param words from {@link sayLegalWords} */
export function fillLegalMarks(html: string, words: Readonly<Record<string, string>>): string {
  return html.replaceAll(LEGAL_MARK, (mark, kind: string, name: string) => words[`${kind}:${name}`] ?? mark)
}

function listProcessors({
  processors,
  payments,
  captcha,
  sms,
}: Omit<Installation, 'operator' | 'kept'>): string {
  const all = [
    'those who run our servers and their database',
    ...(processors.files === undefined ? [] : [`${nameHost(processors.files)} (stored files)`]),
    ...(processors.mail === undefined ? [] : [`${nameHost(processors.mail)} (email)`]),
    ...(payments === undefined ? [] : [`${payments} (payments of clients)`]),
    ...(captcha === undefined ? [] : [`${captcha} (the check on forms that you are no program)`]),
    ...(sms === undefined ? [] : [`${sms} (text messages with codes)`]),
  ]
  const last = all.pop() ?? ''
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`
}

/** The domain of a host of others. Names and addresses of a private network say nothing to a reader. */
function nameHost(host: string): string {
  const labels = host.toLowerCase().split('.')
  const isPublic = labels.length > 1 && /^[a-z]{2,}$/.test(labels.at(-1) ?? '') && !PRIVATE.test(host)
  return isPublic ? labels.slice(-2).join('.') : 'a server of our own'
}

const PRIVATE = /\.(?:internal|local|localdomain|lan|svc|test|invalid)$/i

function sayDays(days: number | undefined): string {
  if (days === undefined) return 'until it is erased on request; no period is set'
  const years = Math.round(days / YEAR_DAYS)
  const isYears = years >= 2 && Math.abs(days - years * YEAR_DAYS) < 3
  return isYears ? `${years} years` : `${days} days`
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`)
}
