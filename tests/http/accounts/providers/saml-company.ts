import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { selfSigned } from '#scripts/chaos/certificate.ts'
import { signSamlPost } from '@node-saml/node-saml/lib/saml-post-signing.js'
import type { AuthServer } from '../wire/start-auth-server.ts'

export const COMPANY_ID = 'b5ae62f9-ef1d-4f11-a02b-731c8bbb11e8'
export const COMPANY_ISSUER = 'https://idp.example.com/entity'

/** A company as `AUTH_PROVIDERS` configures it. */
export const companyProvider = (certificate: string): Record<string, unknown> => ({
  type: 'saml',
  id: COMPANY_ID,
  domains: ['company.example'],
  issuer: COMPANY_ISSUER,
  entry_point: 'https://idp.example.com/sso',
  certificate,
})

/** A company's identity provider, with as much as one request needs. */
export interface Company {
  publicKey: string
  privateKey: string
}

/**
 * Creates a company with a certificate in its metadata; `certificate` is formatted as there: base64 in
 * indented lines.
 */
export function makeCertifiedCompany(validity?: Parameters<typeof selfSigned>[2]) {
  const { cert, key } = selfSigned('idp.example.com', 'rsa', validity)
  const lines = cert.replaceAll(/-----[^-]+-----/g, '').match(/[\w+/=]{1,64}/g) ?? []
  const metadata = `
    <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${COMPANY_ISSUER}">
      <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
        <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>
          ${lines.join('\n          ')}
        </X509Certificate></X509Data></KeyInfo></KeyDescriptor>
        <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/>
      </IDPSSODescriptor>
    </EntityDescriptor>`
  const shown = /<X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? ''
  return { pem: cert, shown, company: { publicKey: cert, privateKey: key } }
}

export function makeCompany(): Company {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

/** Reads the service's request from the URL to which it sends the user. */
export function readRequest(url: string) {
  const { searchParams } = new URL(url)
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString('utf8')
  return {
    xml,
    requestId: /ID="([^"]+)"/.exec(xml)?.[1] ?? '',
    relayState: searchParams.get('RelayState') ?? '',
  }
}

/** Parts of an assertion that a test may change. */
export interface Saying {
  id?: string
  nameId?: string
  email?: string | null
  issuer?: string
  audience?: string
  /** of the signed assertion; undefined: the id of the request */
  inResponseTo?: string
  recipient?: string
  validSeconds?: number
}

/** Writes an answer whose assertion is not signed yet. */
export function writeAnswer(server: AuthServer, requestId: string, saying: Saying = {}): string {
  const acs = `${server.url}/sso/saml/acs`
  const { id = `_${randomUUID()}`, nameId = 'employee-7', email = 'ada@company.example' } = saying
  const { issuer = COMPANY_ISSUER, audience = `${server.url}/sso/saml/metadata`, recipient = acs } = saying
  const { inResponseTo = requestId, validSeconds = 300 } = saying
  const now = new Date().toISOString()
  const until = new Date(Date.now() + validSeconds * 1000).toISOString()
  const attribute =
    email === null
      ? ''
      : `<saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>${email}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`
  return [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"`,
    ` ID="_${randomUUID()}" Version="2.0" IssueInstant="${now}" Destination="${acs}" InResponseTo="${requestId}">`,
    `<saml:Issuer>${issuer}</saml:Issuer>`,
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>`,
    `<saml:Assertion ID="${id}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${nameId}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">`,
    `<saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${recipient}" InResponseTo="${inResponseTo}"/>`,
    `</saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${new Date(Date.now() - 600_000).toISOString()}" NotOnOrAfter="${until}">`,
    `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${now}"><saml:AuthnContext><saml:AuthnContextClassRef>`,
    `urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    `${attribute}</saml:Assertion></samlp:Response>`,
  ].join('')
}

export function signAnswer(xml: string, company: Company, algorithm: 'sha1' | 'sha256' = 'sha256'): string {
  return signSamlPost(xml, '/*[local-name()="Response"]/*[local-name()="Assertion"]', {
    privateKey: company.privateKey,
    signatureAlgorithm: algorithm,
    digestAlgorithm: algorithm,
  })
}
