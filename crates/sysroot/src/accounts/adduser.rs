//! The `adduser --system` and `addgroup --system` commands of maintainer scripts (adduser(8)).

use std::collections::BTreeMap;

use super::{NOLOGIN, NewUser, RangeEnd, Wish, is_name};

/// Options that take a value.
const VALUED: &[&str] = &[
    "--home",
    "--shell",
    "--gecos",
    "--comment",
    "--uid",
    "--gid",
    "--ingroup",
    "--firstuid",
    "--lastuid",
    "--firstgid",
    "--lastgid",
    "--conf",
];

/// Parses the script, without running it: reads the commands whose words are literals, or variables that the script sets
/// to a literal.
pub(super) fn parse(script: &str) -> Vec<Wish> {
    let mut variables = BTreeMap::new();
    let mut found = Vec::new();
    for line in script.replace("\\\n", " ").lines() {
        let words = words(line);
        if let [word] = &words[..]
            && let Some((name, value)) = word.split_once('=').filter(|(name, _)| is_name(name))
        {
            variables.entry(name.to_owned()).or_insert_with(|| value.to_owned());
            continue;
        }
        let words: Vec<String> = words.iter().map(|word| expand(word, &variables)).collect();
        let command = |word: &String| {
            let name = word.rsplit('/').next().unwrap_or_default();
            matches!(name, "adduser" | "addgroup")
        };
        if let Some(start) = words.iter().position(command) {
            let group = words[start].ends_with("addgroup");
            found.extend(Command::parse(&words[start + 1..]).wishes(group));
        }
    }
    found
}

/// The words of a command as the shell splits them, up to an operator or comment; quotes are removed.
pub(super) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '|' | ';' | '&' | '>' | '<') => break,
            (None, '#') if word.is_none() => break,
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The value of a word that consists of one variable; other words stay.
fn expand(word: &str, variables: &BTreeMap<String, String>) -> String {
    let name = word.strip_prefix('$').unwrap_or_default();
    let name = name.strip_prefix('{').and_then(|n| n.strip_suffix('}')).unwrap_or(name);
    variables.get(name).map_or_else(|| word.to_owned(), String::clone)
}

fn is_literal(word: &str) -> bool {
    !word.contains(['$', '`', '*', '?', '\\', ':', '\n'])
}

/// The options and operands of one command.
struct Command<'a> {
    options: BTreeMap<&'a str, &'a str>,
    operands: Vec<&'a str>,
}

impl<'a> Command<'a> {
    fn parse(words: &'a [String]) -> Command<'a> {
        let mut command = Command { options: BTreeMap::new(), operands: Vec::new() };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if let Some((name, value)) = word.split_once('=').filter(|_| word.starts_with("--")) {
                command.options.insert(name, value);
            } else if VALUED.contains(&word) {
                command.options.insert(word, words.next().unwrap_or_default());
            } else if word.starts_with("--") {
                command.options.insert(word, "");
            } else if !word.starts_with('$') {
                // Unknown variables are left out: they hold options, such as `$quiet`.
                command.operands.push(word);
            }
        }
        command
    }

    fn value(&self, option: &str) -> Option<&'a str> {
        self.options.get(option).copied().filter(|value| is_literal(value))
    }

    fn number(&self, option: &str) -> Option<u32> {
        self.value(option)?.parse().ok()
    }

    fn has(&self, option: &str) -> bool {
        self.options.contains_key(option)
    }

    /// The command's requests; `group` if it is `addgroup`.
    fn wishes(&self, group: bool) -> Vec<Wish> {
        let from = RangeEnd::Low;
        match &self.operands[..] {
            [name] if !is_name(name) || !self.has("--system") => Vec::new(),
            [name] if group || (self.has("--group") && self.has("--no-user")) => {
                vec![Wish::Group { name: (*name).to_owned(), gid: self.number("--gid"), from }]
            }
            [name] => {
                let home = self.value("--home").unwrap_or("/nonexistent");
                let user = Wish::User(NewUser {
                    name: (*name).to_owned(),
                    uid: self.number("--uid"),
                    group: self.group(),
                    gecos: self.value("--gecos").or(self.value("--comment")).unwrap_or("").into(),
                    home: home.to_owned(),
                    shell: self.value("--shell").unwrap_or(NOLOGIN).to_owned(),
                    from,
                });
                let made = self.has("--home") && !self.has("--no-create-home");
                [Some(user), made.then(|| Wish::Home(home.to_owned()))]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            [user, group] if is_name(user) && is_name(group) => {
                vec![Wish::Member { user: (*user).to_owned(), group: (*group).to_owned() }]
            }
            _ => Vec::new(),
        }
    }

    /// The group of a new user; with `--group` the user gets one of its own.
    fn group(&self) -> Option<String> {
        let named = self.value("--ingroup").or(self.value("--gid")).map(str::to_owned);
        named.or_else(|| (!self.has("--group")).then(|| super::NOGROUP.to_string()))
    }
}
