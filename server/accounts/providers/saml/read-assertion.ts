import { z } from 'zod'
import type { SamlProviderSettings } from '#core/config/provider-variables.ts'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { describePerson, type ProviderPerson } from '../provider-person.ts'
import { openSaml, samlUrls } from './open-saml.ts'

/** The statement of a company's identity provider about a person, and its expiry. */
export interface Assertion {
  id: string
  expiresAt: Date
  person: ProviderPerson
}

/** A refusal beyond those of the library. It names the rule, never a person. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const one = <Item extends z.ZodType>(item: Item) => z.tuple([item])
const confirmation = z.object({
  $: z.object({ Method: z.string() }),
  SubjectConfirmationData: one(
    z.object({
      $: z.object({
        InResponseTo: z.string(),
        Recipient: z.string(),
        NotOnOrAfter: z.iso.datetime({ offset: true }),
      }),
    }),
  ),
})
const assertionSchema = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().min(1) }),
    Subject: one(z.object({ SubjectConfirmation: z.array(z.unknown()) })),
  }),
})

const EMAIL_NAMES = [
  'email',
  'mail',
  'Email',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const FULL_NAMES = [
  'name',
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
]

/**
 * Checks an answer: signature by the company's key, audience, times, and that it answers our request (SAML 2.0 profiles
 * §4.1.4.3). The library checks every part that is present. Parts that it accepts as missing are checked here.
 * @throws for every answer that is not valid
 */
export async function readAssertion(
  context: Pick<AuthContext, 'config'>,
  company: SamlProviderSettings,
  answer: { requestId: string; response: string },
): Promise<Assertion> {
  const { requestId, response } = answer
  refuseWeakXml(Buffer.from(response, 'base64').toString('utf8'))
  const saml = await openSaml(context, company, requestId)
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response })
  if (profile?.getAssertion === undefined) throw new AssertionError('no assertion')
  if (profile.issuer !== company.issuer) throw new AssertionError('another issuer')
  if (typeof profile.nameID !== 'string' || profile.nameID === '') throw new AssertionError('no name id')
  const { Assertion: signed } = assertionSchema.parse(profile.getAssertion())
  const { acs } = samlUrls(context)
  // The answer's own InResponseTo is not signed if only the assertion is, so the assertion's counts.
  const confirmed = signed.Subject[0].SubjectConfirmation.map((item) => confirmation.safeParse(item).data)
    .filter((item) => item !== undefined)
    .map(({ $: { Method }, SubjectConfirmationData: [{ $: data }] }) => ({ Method, ...data }))
    .find(
      (item) =>
        item.Method === BEARER &&
        item.InResponseTo === requestId &&
        item.Recipient === acs &&
        Date.parse(item.NotOnOrAfter) > Date.now(),
    )
  if (confirmed === undefined) throw new AssertionError('not for this request')
  const { nameID, nameIDFormat } = profile
  return {
    id: signed.$.ID,
    expiresAt: new Date(confirmed.NotOnOrAfter),
    person: describeEmployee(company, { nameID, nameIDFormat, attributes: profile['attributes'] }),
  }
}

/**
 * Limit of tags, and of attributes, that the library is given. Its time grows with their square, and it reads all of
 * them before it judges the signature. An answer has some dozens, and two tags for each group of the person.
 */
const MOST_MARKS = 2000
const LONGEST_XML = 256 * 1024

/** Refuses entities, digests with known collisions, and more tags than an answer needs. */
function refuseWeakXml(xml: string): void {
  const isCrowded = ['<', '='].some((mark) => xml.split(mark, MOST_MARKS + 2).length > MOST_MARKS + 1)
  if (xml.length > LONGEST_XML || isCrowded) throw new AssertionError('too much of it')
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new AssertionError('a document type')
  if (/xmldsig#[\w-]*sha1["']/i.test(xml)) throw new AssertionError('signed with SHA-1')
}

function describeEmployee(
  company: SamlProviderSettings,
  said: { nameID: string; nameIDFormat: string | undefined; attributes: unknown },
): ProviderPerson {
  const attributes = z.record(z.string(), z.unknown()).catch({}).parse(said.attributes)
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => [attributes[name]].flat()[0]).find((value) => typeof value === 'string')
  const named = first(EMAIL_NAMES) ?? (said.nameID.includes('@') ? said.nameID : undefined)
  // A transient id is different each time.
  const isTransient = said.nameIDFormat?.endsWith(':transient') === true
  return describePerson({
    provider: `sso:${company.id}`,
    provider_id: isTransient ? (named?.trim().toLowerCase() ?? '') : said.nameID,
    issuer: company.issuer,
    email: named,
    isEmailVerified: true,
    name: first(FULL_NAMES),
  })
}
