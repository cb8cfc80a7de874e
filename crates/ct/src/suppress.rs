//! Findings that a file declares harmless, each with its reason.

use crate::findings::{Finding, Kind};
use anyhow::{Result, bail};
use serde::Deserialize;
use toml::Spanned;

/// The declarations of a file.
#[derive(Clone, Debug, Default)]
pub struct Suppressions(Vec<Suppression>);

/// A declaration, and the line of the file where it begins.
#[derive(Clone, Debug)]
struct Suppression {
    rule: Rule,
    line: usize,
}

/// Which findings are meant: those to which every given field applies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    /// What depends on a secret.
    kind: Option<Kind>,
    /// The instruction's mnemonic, as disassembled.
    instruction: Option<String>,
    /// The function of the instruction.
    function: Option<String>,
    /// A function of the call path.
    through: Option<String>,
    /// The name of the program's or library's file.
    object: Option<String>,
    /// The source file or the end of its path, optionally with a line: `src/aes.c` or `aes.c:120`.
    source: Option<String>,
    /// Why these findings are harmless.
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    suppress: Vec<Spanned<Rule>>,
}

impl Suppressions {
    /// Parses a file.
    ///
    /// # Errors
    /// Names the line and the remedy.
    pub fn parse(text: &str) -> Result<Suppressions> {
        let file: File = toml::from_str(text)?;
        let mut all = Vec::new();
        for rule in file.suppress {
            let line = text[..rule.span().start].matches('\n').count() + 1;
            let rule = rule.into_inner();
            if rule.reason.trim().is_empty() {
                bail!("line {line}: the reason is empty; say why these findings are harmless");
            }
            let Rule { instruction, function, through, object, source, .. } = &rule;
            let fields = [instruction, function, through, object, source];
            if fields.iter().any(|field| field.as_ref().is_some_and(|text| text.trim().is_empty()))
            {
                bail!("line {line}: a field is empty, so that this would apply to nothing");
            }
            if [function, through, object, source].iter().all(|field| field.is_none()) {
                bail!(
                    "line {line}: this would suppress findings everywhere; give function, through, object or source"
                );
            }
            all.push(Suppression { rule, line });
        }
        Ok(Suppressions(all))
    }

    /// The reason why a finding is suppressed, and the number of the suppression.
    pub fn of(&self, finding: &Finding) -> Option<(usize, &str)> {
        let found = self.0.iter().position(|s| s.rule.applies(finding))?;
        Some((found, &self.0[found].rule.reason))
    }

    /// The lines of all suppressions, in order.
    pub fn lines(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|s| s.line)
    }
}

/// Findings of a kind in a function, optionally only at instructions with this mnemonic.
#[derive(Clone, Debug)]
pub struct InFunction {
    /// What depends on a secret.
    pub kind: Kind,
    /// The function.
    pub function: String,
    /// The mnemonic.
    pub instruction: Option<String>,
    /// Why they are harmless.
    pub reason: String,
}

impl FromIterator<InFunction> for Suppressions {
    fn from_iter<T: IntoIterator<Item = InFunction>>(all: T) -> Suppressions {
        let rule = |f: InFunction| Rule {
            kind: Some(f.kind),
            instruction: f.instruction,
            function: Some(f.function),
            through: None,
            object: None,
            source: None,
            reason: f.reason,
        };
        Suppressions(all.into_iter().map(|r| Suppression { rule: rule(r), line: 0 }).collect())
    }
}

impl Rule {
    fn applies(&self, finding: &Finding) -> bool {
        let at = &finding.at;
        let is =
            |wanted: &Option<String>, has: &dyn Fn(&str) -> bool| wanted.as_deref().is_none_or(has);
        let source = |wanted: &str| {
            let with_line = wanted.rsplit_once(':');
            let with_line = with_line.and_then(|(file, line)| Some((file, line.parse().ok()?)));
            let (file, line) =
                with_line.map_or((wanted, None), |(f, line): (_, u32)| (f, Some(line)));
            let found = at.source.as_ref();
            found.is_some_and(|s| ends_with(&s.file, file) && line.is_none_or(|l| l == s.line))
        };
        let mnemonic = at.instruction.split(' ').next().unwrap_or_default();
        self.kind.is_none_or(|kind| kind == finding.kind)
            && is(&self.instruction, &|name| mnemonic == name)
            && is(&self.function, &|name| at.function == name)
            && is(&self.through, &|name| finding.path.iter().any(|f| f == name))
            && is(&self.object, &|name| ends_with(&at.object, name))
            && is(&self.source, &source)
    }
}

/// Whether a path ends with these components.
fn ends_with(path: &str, end: &str) -> bool {
    std::path::Path::new(path).ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::finding;

    fn wrong(text: &str) -> String {
        Suppressions::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn every_field_must_apply() {
        let suppressed = |fields: &str| {
            let all =
                Suppressions::parse(&format!("[[suppress]]\n{fields}\nreason = 'r'")).unwrap();
            all.of(&finding()).is_some()
        };
        // As in `testing::finding`.
        for fields in [
            "function = 'leak'",
            "through = 'main'",
            "object = 'libx.so.1'",
            "object = 'lib/libx.so.1'",
            "source = 'leak.c'",
            "source = 'src/leak.c:7'",
            "function = 'leak'\nkind = 'branch'\nsource = 'leak.c'",
            "function = 'leak'\ninstruction = 'c.beqz'",
        ] {
            assert!(suppressed(fields), "{fields}");
        }
        for fields in [
            "function = 'lea'",
            "through = 'leak2'",
            "object = 'x.so.1'",
            "source = 'eak.c'",
            "source = 'leak.c:8'",
            "function = 'leak'\nkind = 'address'",
            "function = 'leak'\ninstruction = 'c.bnez'",
        ] {
            assert!(!suppressed(fields), "{fields}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let first = "[[suppress]]\nfunction = 'f'\nreason = 'r'\n";
        let second = |fields: &str| wrong(&format!("{first}[[suppress]]\n{fields}"));
        assert!(second("kind = 'branch'\nreason = 'r'").starts_with("line 4: "));
        assert!(second("function = 'f'\nreason = ' '").contains("line 4: the reason is empty"));
        assert!(second("function = ''\nreason = 'r'").contains("line 4: a field is empty"));
        let missing = second("function = 'f'");
        assert!(missing.contains("line 4") && missing.contains("missing field `reason`"));
        let kind = second("kind = 'jump'\nfunction = 'f'\nreason = 'r'");
        assert!(kind.contains("line 5") && kind.contains("jump-target"), "{kind}");
        assert!(second("functions = 'f'").contains("unknown field `functions`"));
    }
}
