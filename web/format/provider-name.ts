const KNOWN: Readonly<Record<string, string>> = {
  azure: 'Microsoft',
  email: 'Email',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  linkedin: 'LinkedIn',
  microsoft: 'Microsoft',
  phone: 'Phone',
  web3: 'Wallet',
}

/** How people call a provider of the settings: "google" → "Google", "acme-id" → "Acme id". */
export function providerName(name: string) {
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
  if (known !== undefined) return known
  // SAML: the service tells an id alone.
  if (name.startsWith('sso:')) return 'Company sign-in'
  const spaced = name.replaceAll(/[_-]+/g, ' ').trim()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
