// What costs a compiler much: templates of the standard library.
#include <iostream>
#include <map>
#include <regex>
#include <string>

int main() {
  std::map<std::string, int> counts;
  std::regex word("[a-z]+");
  for (std::string line; std::getline(std::cin, line);)
    for (std::sregex_iterator it(line.begin(), line.end(), word), end; it != end; ++it)
      counts[it->str()]++;
  for (const auto &[name, count] : counts) std::cout << name << ' ' << count << '\n';
}
