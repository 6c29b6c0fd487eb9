import { simplifyName } from '../leads/custom-name.ts'

/** Common names of a lead's fields, without case, spaces and signs. A field's own name needs no entry. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  external_id: ['externalid', 'leadid', 'id', 'recordid', 'uniqueid', 'reference'],
  lead_type: ['type', 'product', 'producttype', 'vertical', 'insurancetype'],
  name: ['fullname', 'contact', 'contactname', 'leadname', 'customername', 'clientname'],
  first_name: ['first', 'fname', 'givenname', 'forename'],
  last_name: ['last', 'lname', 'surname', 'familyname'],
  email: ['mail', 'emailaddress', 'emailid', 'primaryemail', 'contactemail'],
  phone: [
    'phonenumber',
    'phone1',
    'telephone',
    'tel',
    'mobile',
    'mobilephone',
    'cell',
    'cellphone',
    'primaryphone',
    'homephone',
    'contactnumber',
    'dayphone',
  ],
  alt_phone: ['alternatephone', 'phone2', 'secondaryphone', 'otherphone', 'workphone', 'eveningphone'],
  address1: ['address', 'street', 'streetaddress', 'addressline1', 'mailingaddress'],
  address2: ['addressline2', 'apt', 'apartment', 'suite', 'unit'],
  city: ['town', 'municipality'],
  state: ['stateprovince', 'statecode', 'province', 'region', 'st'],
  zip: ['zipcode', 'postalcode', 'postcode', 'zippostalcode'],
  date_of_birth: ['dob', 'birthdate', 'birthday', 'born'],
  gender: ['sex'],
  tobacco: ['smoker', 'tobaccouse', 'tobaccouser', 'smokes'],
  coverage_amount: ['coverage', 'faceamount', 'coveragedesired', 'desiredcoverage'],
  beneficiary_name: ['beneficiary'],
  best_time_to_call: ['besttime', 'calltime'],
  comments: ['comment', 'notes', 'note', 'message', 'remarks'],
  consent_text: ['tcpa', 'tcpatext', 'disclosure', 'tcpaconsent'],
  consent_given: ['consent', 'optin'],
  consent_at: ['consentdate', 'consenttime', 'optindate', 'submittedat', 'timestamp'],
  consent_url: ['consentpage', 'sourceurl'],
  consent_ip: ['ip', 'ipaddress', 'clientip', 'userip'],
  consent_user_agent: ['useragent', 'browser'],
  trustedform_cert_url: [
    'trustedform',
    'trustedformurl',
    'trustedformcert',
    'xxtrustedformcerturl',
    'certurl',
  ],
  jornaya_leadid: ['jornaya', 'jornayaid', 'leadidtoken', 'universalleadid', 'jornayaleadidtoken'],
  landing_page_url: ['landingpage', 'pageurl', 'landingurl'],
  sub_id: ['subid', 'sub1', 'affiliateid'],
  campaign: ['campaignname', 'campaignid'],
  cost: ['price', 'leadcost'],
  is_test: ['test', 'testlead'],
}

const UTM = /^utm[ _-]([a-z0-9_.-]{1,64})$/i

/**
 * Guesses the fields of a file's columns by their names; no field if a name says nothing, or an earlier column has the
 * field.
 * @param fields the fields of a posted lead
 */
export function guessMapping(columns: readonly string[], fields: Iterable<string>): string[] {
  const known = new Map<string, string>()
  for (const field of fields)
    for (const name of [field, ...(OTHER_NAMES[field] ?? [])]) known.set(simplify(name), field)
  const taken = new Set<string>()
  return columns.map((column) => {
    const [, utm] = UTM.exec(column.trim()) ?? []
    const field = utm === undefined ? known.get(simplify(column)) : `utm_${utm.toLowerCase()}`
    if (field === undefined || taken.has(field)) return ''
    taken.add(field)
    return field
  })
}

/**
 * The name under which a column is stored among a lead's own fields (core/use-cases/ingest/check-mapping.ts); undefined
 * if nothing is left of it.
 */
export function customFieldOf(column: string): string | undefined {
  const name = simplifyName(column)
  return name === undefined ? undefined : `custom.${name}`
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
