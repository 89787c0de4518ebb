/**
 * A class of settings from its decorators, for an author who writes JavaScript.
 * @param fields the decorator of each setting, e.g. `{ apiKey: TextSetting('must be the API key') }`
 * @param defaults values of settings that are not given
 */
export function settingsClass<Settings extends object>(
  fields: { readonly [Name in keyof Settings & string]: PropertyDecorator },
  defaults: Partial<Settings> = {},
): new () => Settings {
  class AccountSettings {
    constructor() {
      Object.assign(this, defaults);
    }
  }
  for (const [name, decorate] of Object.entries<PropertyDecorator>(fields)) decorate(AccountSettings.prototype, name);
  return AccountSettings as new () => Settings;
}
